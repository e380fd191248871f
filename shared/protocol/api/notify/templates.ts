// Templates: the wording of messages, by kind of sender and language.
import * as Type from 'typebox/type';
import { SEVERITIES } from '../../events/eventWords.ts';
import { LOCALES } from '../../locale.ts';
import { SENDER_KINDS } from '../../notify/notifyWords.ts';
import {
  closed,
  Id,
  IdText,
  LineOfText,
  OneOf,
  type RecordOf,
  Text,
  Timestamp,
  Version,
  VersionText,
} from '../records.ts';

export const TEMPLATES_PATH = '/api/template/templates';
export const TEMPLATE_PREVIEW_PATH = '/api/template/preview';
export const TEMPLATE_PRESETS_PATH = '/api/template/presets';
export const TEMPLATE_EVENTS_PATH = '/api/template/events';

export const MAX_TEMPLATE_NAME = 100;
export const MAX_TEMPLATES = 200;
export const MAX_TEMPLATE_SUBJECT = 200;
/** Three languages of it fit into one request. */
export const MAX_TEMPLATE_BODY = 6_000;

export const TemplateText = Type.Object(
  {
    /** Subject of mail and push; '' for other kinds. */
    subject: LineOfText(MAX_TEMPLATE_SUBJECT),
    body: Type.String({ maxLength: MAX_TEMPLATE_BODY }),
  },
  closed,
);
export type TemplateText = RecordOf<typeof TemplateText>;

/** A language that is left out is worded in the fallback language, which is always there. */
export const TemplateTexts = Type.Object(
  { en: Type.Optional(TemplateText), 'zh-TW': Type.Optional(TemplateText), jp: Type.Optional(TemplateText) },
  closed,
);
export type TemplateTexts = RecordOf<typeof TemplateTexts>;

const content = {
  name: LineOfText(MAX_TEMPLATE_NAME),
  kind: OneOf(SENDER_KINDS),
  fallback: OneOf(LOCALES),
  texts: TemplateTexts,
};

export const TemplateContent = Type.Object(content, closed);
export type TemplateContent = RecordOf<typeof TemplateContent>;
export const ChangedTemplate = Type.Object({ ...content, version: Version }, closed);
export type ChangedTemplate = RecordOf<typeof ChangedTemplate>;
export const TemplateParams = Type.Object({ id: IdText });
/** The version that is to be removed. */
export const TemplateVersionQuery = Type.Object({ version: VersionText }, closed);

export const Template = Type.Object({ id: Id, version: Version, ...content, changedAtMs: Timestamp, changedBy: Text });
export type Template = RecordOf<typeof Template>;

export const TEMPLATE_SORTS = ['name', 'kind', 'changedAtMs'] as const;
export type TemplateSort = (typeof TEMPLATE_SORTS)[number];
export const TemplateFilters = { kind: Type.Optional(OneOf(SENDER_KINDS)) };

/** The templates that come with the product, by kind. */
export const TemplatePresets = Type.Array(Type.Object({ kind: OneOf(SENDER_KINDS), texts: TemplateTexts }));
export type TemplatePresets = RecordOf<typeof TemplatePresets>;

/** Asks for a preview with a real event; `event` 0: with a made-up one. */
export const TemplatePreviewRequest = Type.Object(
  { kind: OneOf(SENDER_KINDS), fallback: OneOf(LOCALES), texts: TemplateTexts, event: Type.Integer({ minimum: 0 }) },
  closed,
);
export const TemplatePreview = Type.Array(
  Type.Object({
    language: OneOf(LOCALES),
    subject: Text,
    body: Text,
    /** HTML of mail; '' for other kinds. Safe to show in a frame without scripts. */
    html: Text,
  }),
);
export type TemplatePreview = RecordOf<typeof TemplatePreview>;

/** Newest events of the member group, for the preview. */
export const TEMPLATE_EVENTS_MAX = 20;
export const TemplateEvents = Type.Array(
  Type.Object({ id: Id, beginAtMs: Timestamp, type: Text, severity: OneOf(SEVERITIES, 'info'), deviceName: Text }),
);
export type TemplateEvents = RecordOf<typeof TemplateEvents>;
