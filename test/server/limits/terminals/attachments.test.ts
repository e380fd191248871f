import { describeLimits } from '../describeLimits.ts';
import { attachmentCases } from './attachmentCases.ts';

describeLimits('Files of alarms', attachmentCases);
