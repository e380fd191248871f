import { describeLimits } from '../describeLimits.ts';
import { templateCases } from './templateCases.ts';

describeLimits('Notifications', [...templateCases]);
