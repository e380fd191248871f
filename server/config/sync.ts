// Data sync: what is kept of files from devices that are no readable video.
import { integer } from './valueParsers.ts';
import { variable } from './variable.ts';

export const syncVariables = {
  syncFilesMaxMb: variable({
    name: 'SYNC_FILES_MAX_MB',
    preset: '1024',
    parser: integer(1, 1_000_000_000),
    about:
      "Maximum megabytes of all files from devices that can't be read as video. The oldest of the member group that has the most are deleted first.",
  }),
  syncFilesDays: variable({
    name: 'SYNC_FILES_DAYS',
    preset: '30',
    parser: integer(1, 90),
    about: "Days that files from devices that can't be read as video are kept.",
  }),
};
