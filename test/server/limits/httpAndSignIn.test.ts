import { httpAndSignInCases } from './accountCases.ts';
import { describeLimits } from './describeLimits.ts';

describeLimits('HTTP and sign-in', [...httpAndSignInCases]);
