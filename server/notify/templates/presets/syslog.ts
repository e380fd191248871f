import type { TextsByLanguage } from './textsByLanguage.ts';

const BODY =
  'event={{event.id}} type={{event.typeCode}} severity={{event.severityCode}} begin={{event.beginIso}} ' +
  'device={{device.id}} name="{{device.name}}" plate="{{device.plate}}" value="{{event.value}}" ' +
  'place="{{event.place}}" rule="{{rule.name}}" text="{{event.type}}"';

const text = { subject: '', body: BODY };
const digest = {
  subject: '',
  body: 'events={{digest.count}} first={{event.id}} rule="{{rule.name}}" {{digest.lines}}',
};

/** Read by programs: only the values have a language. */
export const SYSLOG_TEXTS: TextsByLanguage = { en: text, 'zh-TW': text, jp: text };
export const SYSLOG_DIGEST: TextsByLanguage = { en: digest, 'zh-TW': digest, jp: digest };
