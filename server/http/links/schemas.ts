import { Type } from 'typebox';
import {
  LINK_CHANNELS_MAX,
  LINK_KINDS,
  LINK_NOTE_MAX,
  LINK_SORTS,
  LINK_STATES,
} from '../../../shared/protocol/api/links.ts';
import { ShortText } from '../kernel/fields.ts';
import { listQueryFields } from '../kernel/listQuery.ts';

const Kind = Type.Enum([...LINK_KINDS]);
const Kinds = Type.Array(Kind, { maxItems: LINK_KINDS.length, uniqueItems: true });
/** The last moment that a date of ECMAScript can name. */
const MAX_TIME_MS = 8_640_000_000_000_000;

export const LinkListQuery = Type.Object(
  {
    ...listQueryFields(LINK_SORTS),
    state: Type.Optional(Type.Enum([...LINK_STATES])),
    deviceid: Type.Optional(ShortText),
  },
  { additionalProperties: false },
);

export const LinkRowSchema = Type.Object({
  id: Type.Integer(),
  deviceid: Type.String(),
  name: Type.String(),
  plate: Type.String(),
  owner: Type.String(),
  channels: Type.Array(Type.Integer()),
  kinds: Type.Array(Kind),
  note: Type.String(),
  state: Type.Enum([...LINK_STATES]),
  createdAtMs: Type.Integer(),
  untilMs: Type.Integer(),
  revokedAtMs: Type.Integer(),
  lastUsedAtMs: Type.Integer(),
  useCount: Type.Integer(),
  lastAddress: Type.String(),
});

export const NewLinkBody = Type.Object(
  {
    deviceid: ShortText,
    channels: Type.Array(Type.Integer({ minimum: 1, maximum: LINK_CHANNELS_MAX }), {
      maxItems: LINK_CHANNELS_MAX,
      uniqueItems: true,
    }),
    kinds: Kinds,
    untilMs: Type.Integer({ minimum: 0, maximum: MAX_TIME_MS }),
    note: Type.String({ maxLength: LINK_NOTE_MAX, pattern: '^[^\\u0000-\\u001f\\u007f]*$' }),
  },
  { additionalProperties: false },
);

export const MadeLinkSchema = Type.Object({
  id: Type.Integer(),
  device: Type.String(),
  username: Type.String(),
  credential: Type.String(),
});

export const LinkId = Type.Object({ id: Type.String({ pattern: '^[1-9]\\d{0,14}$' }) });

export const LinkDeviceQuery = Type.Object(
  { search: Type.Optional(Type.String({ maxLength: 200 })) },
  { additionalProperties: false },
);

export const LinkDeviceSchema = Type.Object({
  deviceid: Type.String(),
  name: Type.String(),
  plate: Type.String(),
  chn: Type.Integer(),
});

export const ViewBody = Type.Object({ deviceid: ShortText, kinds: Kinds }, { additionalProperties: false });
export const ViewSchema = Type.Object({ link: Type.String(), kinds: Type.Array(Kind) });
