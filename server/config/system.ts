// Presets of what an administrator can set later.
import { anyText, day, integer, oneOf } from './valueParsers.ts';
import { variable } from './variable.ts';

export const systemVariables = {
  webTitle: variable({
    name: 'WEB_TITLE',
    preset: '',
    parser: anyText('any text'),
    about: 'Title of the pages, until an administrator sets one. Unset: the product name.',
  }),
  liveLayout: variable({
    name: 'LIVE_LAYOUT',
    preset: '',
    parser: oneOf('', '3x3'),
    about: 'Live view of 7 or 8 channels in three columns instead of four, until an administrator sets it.',
  }),
  playbackLayout: variable({
    name: 'PLAYBACK_LAYOUT',
    preset: '',
    parser: oneOf('', '3x3'),
    about: 'The same for local playback.',
  }),
  maxLicense: variable({
    name: 'MAX_LICENSE',
    preset: '0',
    parser: integer(0, 1_000_000_000),
    about: 'Number of licensed devices, until an administrator sets it. 0: no limit.',
  }),
  licenseExpiresMs: variable({
    name: 'LICENSE_EXPIRES',
    preset: '',
    parser: day('a day as yyyy-MM-dd'),
    about: 'Day on which the license expires (UTC), until an administrator sets it. Unset: never.',
  }),
};
