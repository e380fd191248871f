// What others have made and is shipped with the product, with the license of each.
import * as Type from 'typebox/type';
import { closed, OneOf, type RecordOf, Text } from '../records.ts';

export const NOTICES_PATH = '/api/version/notices';
export const NOTICE_TEXT_PATH = '/api/version/notices/text';

const SHIPPED_IN = ['browser', 'gateway', 'both'] as const;
export type ShippedIn = (typeof SHIPPED_IN)[number];

/** A package, or data and code of others in one. Name and version together are unique. */
export const Notice = Type.Object({
  name: Text,
  /** '' where it has none. */
  version: Text,
  /** An SPDX expression. */
  license: Text,
  shippedIn: OneOf(SHIPPED_IN, 'both'),
  /** The address of its source code, '' where its author names none. */
  source: Text,
});
export type Notice = RecordOf<typeof Notice>;

export const Notices = Type.Object({ packages: Type.Array(Notice) });
export type Notices = RecordOf<typeof Notices>;

/** Names of packages have 214 characters at most. */
const NameOrVersion = Type.String({ maxLength: 256 });

export const NoticeQuestion = Type.Object({ name: NameOrVersion, version: NameOrVersion }, closed);
export type NoticeQuestion = RecordOf<typeof NoticeQuestion>;

export const NoticeText = Type.Object({ text: Text });
export type NoticeText = RecordOf<typeof NoticeText>;
