import { describeLimits } from '../describeLimits.ts';
import { notifyRuleCases } from './notifyRuleCases.ts';

describeLimits('Notifications', [...notifyRuleCases]);
