// Reports: how much of the disk their results take.
import { integer } from './valueParsers.ts';
import { variable } from './variable.ts';

export const reportVariables = {
  reportMaxMb: variable({
    name: 'REPORT_MAX_MB',
    preset: '4096',
    parser: integer(1, 1_000_000_000),
    about:
      'Maximum megabytes of all report results, which are kept for 7 days. The oldest of the member group that has the most are deleted first.',
  }),
};
