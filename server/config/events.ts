// Events, and the pictures and files that belong to them.
import { integer } from './valueParsers.ts';
import { variable } from './variable.ts';

export const eventVariables = {
  eventRetentionDays: variable({
    name: 'EVENT_RETENTION_DAYS',
    preset: '365',
    parser: integer(0, 36_500),
    about:
      'Days to keep events; a member group can have fewer. Events that last or are held as evidence stay. 0: as set for the member group.',
  }),
};
