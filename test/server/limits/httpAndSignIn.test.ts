import { accountCases } from './accountCases.ts';
import { connectionCases } from './connectionCases.ts';
import { describeLimits } from './describeLimits.ts';
import { httpCases } from './httpCases.ts';
import { importCases } from './imports/importCases.ts';
import { accountShares, requestShares } from './shareCases.ts';
import { signInCases } from './signInCases.ts';

describeLimits('HTTP and sign-in', [
  ...connectionCases,
  ...httpCases,
  ...importCases,
  ...signInCases,
  ...accountCases,
  ...requestShares,
  ...accountShares,
]);
