import { describeLimits } from '../describeLimits.ts';
import { notifySenderCases } from './senderCases.ts';

describeLimits('Notifications', [...notifySenderCases]);
