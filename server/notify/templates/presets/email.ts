import type { TextsByLanguage } from './textsByLanguage.ts';

export const EMAIL_TEXTS: TextsByLanguage = {
  en: {
    subject: '[{{event.severity}}] {{event.type}}: {{device.name}}',
    body: `{{event.type}} on {{device.name}} at {{event.begin}}.

Severity: {{event.severity}}
Device: {{device.name}}
Device ID: {{device.id}}
Plate number: {{device.plate}}
Group: {{device.group}}
Channel or part: {{event.unit}}
Geofence: {{event.area}}
Value: {{event.value}}
Limit: {{event.limit}}
Speed: {{event.speed}}
Driver: {{event.driver}}
Position: {{event.place}}

{{event.link}}

You receive this because of the rule {{rule.name}} of {{site.title}}.`,
  },
  'zh-TW': {
    subject: '[{{event.severity}}] {{event.type}}：{{device.name}}',
    body: `{{device.name}} 於 {{event.begin}} 發生「{{event.type}}」。

嚴重程度：{{event.severity}}
裝置：{{device.name}}
裝置 ID：{{device.id}}
車牌號碼：{{device.plate}}
群組：{{device.group}}
頻道或部位：{{event.unit}}
電子圍籬：{{event.area}}
數值：{{event.value}}
限制：{{event.limit}}
車速：{{event.speed}}
駕駛：{{event.driver}}
位置：{{event.place}}

{{event.link}}

您收到此訊息，是因為 {{site.title}} 的通知規則「{{rule.name}}」。`,
  },
  jp: {
    subject: '[{{event.severity}}] {{event.type}}：{{device.name}}',
    body: `{{event.begin}} に {{device.name}} で「{{event.type}}」が発生しました。

重要度：{{event.severity}}
デバイス：{{device.name}}
デバイス ID：{{device.id}}
ナンバー：{{device.plate}}
グループ：{{device.group}}
チャンネルまたは部位：{{event.unit}}
ジオフェンス：{{event.area}}
値：{{event.value}}
上限：{{event.limit}}
速度：{{event.speed}}
ドライバー：{{event.driver}}
位置情報：{{event.place}}

{{event.link}}

{{site.title}} の通知ルール「{{rule.name}}」により送信されました。`,
  },
};

export const EMAIL_DIGEST: TextsByLanguage = {
  en: {
    subject: 'Events: {{digest.count}} ({{rule.name}})',
    body: `Events: {{digest.count}}

{{digest.lines}}

{{event.link}}

You receive this because of the rule {{rule.name}} of {{site.title}}.`,
  },
  'zh-TW': {
    subject: '事件：{{digest.count}} 筆（{{rule.name}}）',
    body: `事件：{{digest.count}} 筆

{{digest.lines}}

{{event.link}}

您收到此訊息，是因為 {{site.title}} 的通知規則「{{rule.name}}」。`,
  },
  jp: {
    subject: 'イベント：{{digest.count}} 件（{{rule.name}}）',
    body: `イベント：{{digest.count}} 件

{{digest.lines}}

{{event.link}}

{{site.title}} の通知ルール「{{rule.name}}」により送信されました。`,
  },
};
