import { describeLimits } from '../describeLimits.ts';
import { notifyRuleCases } from './notifyRuleCases.ts';
import { notifySenderCases } from './senderCases.ts';
import { templateCases } from './templateCases.ts';

describeLimits('Notifications', [...notifyRuleCases, ...notifySenderCases, ...templateCases]);
