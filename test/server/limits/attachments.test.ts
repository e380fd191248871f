import { attachmentCases } from './attachmentCases.ts';
import { describeLimits } from './describeLimits.ts';

describeLimits('Files of alarms', attachmentCases);
