import type { TextsByLanguage } from './textsByLanguage.ts';

export const PUSH_TEXTS: TextsByLanguage = {
  en: { subject: '{{event.type}}: {{device.name}}', body: '{{event.severity}}, {{event.begin}} {{event.value}}' },
  'zh-TW': { subject: '{{event.type}}：{{device.name}}', body: '{{event.severity}}，{{event.begin}} {{event.value}}' },
  jp: { subject: '{{event.type}}：{{device.name}}', body: '{{event.severity}}、{{event.begin}} {{event.value}}' },
};

export const PUSH_DIGEST: TextsByLanguage = {
  en: { subject: 'Events: {{digest.count}}', body: '{{digest.lines}}' },
  'zh-TW': { subject: '事件：{{digest.count}} 筆', body: '{{digest.lines}}' },
  jp: { subject: 'イベント：{{digest.count}} 件', body: '{{digest.lines}}' },
};
