import type { TextsByLanguage } from './textsByLanguage.ts';

/** Names of fields follow those of variables. All values are texts, because they are filled in as such. */
const BODY = `{
  "key": "{{message.key}}",
  "sentAt": "{{message.sentIso}}",
  "site": "{{site.title}}",
  "rule": "{{rule.name}}",
  "step": "{{step.number}}",
  "event": {
    "id": "{{event.id}}",
    "type": "{{event.typeCode}}",
    "typeName": "{{event.type}}",
    "severity": "{{event.severityCode}}",
    "severityName": "{{event.severity}}",
    "status": "{{event.status}}",
    "begin": "{{event.beginIso}}",
    "beginLocal": "{{event.begin}}",
    "end": "{{event.end}}",
    "value": "{{event.value}}",
    "limit": "{{event.limit}}",
    "count": "{{event.count}}",
    "unit": "{{event.unit}}",
    "area": "{{event.area}}",
    "driver": "{{event.driver}}",
    "speed": "{{event.speed}}",
    "place": "{{event.place}}",
    "link": "{{event.link}}"
  },
  "device": {
    "id": "{{device.id}}",
    "name": "{{device.name}}",
    "plate": "{{device.plate}}",
    "group": "{{device.group}}"
  },
  "digest": {
    "count": "{{digest.count}}",
    "lines": "{{digest.lines}}"
  }
}`;

const text = { subject: '', body: BODY };

/** Read by programs: only the values have a language. */
export const WEBHOOK_TEXTS: TextsByLanguage = { en: text, 'zh-TW': text, jp: text };
