import { describeLimits } from './describeLimits.ts';
import { notifySenderCases } from './notifySenderCases.ts';

describeLimits('Notifications', [...notifySenderCases]);
