import { describeLimits } from '../describeLimits.ts';
import { notifyRuleCases } from './notifyRuleCases.ts';
import { templateCases } from './templateCases.ts';

describeLimits('Notifications', [...notifyRuleCases, ...templateCases]);
