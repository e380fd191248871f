// Events, and the pictures and files that belong to them.
import { integer, PORT } from './valueParsers.ts';
import { variable } from './variable.ts';

export const eventVariables = {
  eventRetentionDays: variable({
    name: 'EVENT_RETENTION_DAYS',
    preset: '365',
    parser: integer(0, 36_500),
    about:
      'Days to keep events; a member group can have fewer. Events that last or are held as evidence stay. 0: as set for the member group.',
  }),
  eventMediaMaxMb: variable({
    name: 'EVENT_MEDIA_MAX_MB',
    preset: '10240',
    parser: integer(16, 1_000_000_000),
    about:
      "Maximum megabytes of pictures and files of events. The oldest of the member group that has the most are removed, those of held events never. One device's files take at most a quarter of it.",
  }),
  attachmentPort: variable({
    name: 'ATTACHMENT_PORT',
    preset: '7090',
    parser: PORT,
    about: 'Port that terminals send the files of alarms to (T/JSATL 12). 0 takes any free port.',
  }),
};
