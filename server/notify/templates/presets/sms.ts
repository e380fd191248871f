import type { TextsByLanguage } from './textsByLanguage.ts';

/** Each fits into one SMS where names are short. */
export const SMS_TEXTS: TextsByLanguage = {
  en: { subject: '', body: '{{event.severity}}: {{event.type}}, {{device.name}}, {{event.begin}}' },
  'zh-TW': {
    subject: '',
    body: '{{event.severity}}：{{event.type}}，{{device.name}}，{{event.begin}}',
  },
  jp: { subject: '', body: '{{event.severity}}：{{event.type}}、{{device.name}}、{{event.begin}}' },
};

export const SMS_DIGEST: TextsByLanguage = {
  en: { subject: '', body: 'Events: {{digest.count}}\n{{digest.lines}}' },
  'zh-TW': { subject: '', body: '事件：{{digest.count}} 筆\n{{digest.lines}}' },
  jp: { subject: '', body: 'イベント：{{digest.count}} 件\n{{digest.lines}}' },
};
