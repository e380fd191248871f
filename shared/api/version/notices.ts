// What others have made and is shipped with the product.
import {
  NOTICE_TEXT_PATH,
  NOTICES_PATH,
  type NoticeQuestion,
  Notices,
  NoticeText,
} from '../../protocol/api/system/notices.ts';
import type { ApiResult } from '../client.ts';
import { requestRecord } from '../requestRecord.ts';

/** All of them without their texts, by name. Code of a refusal: `not-built`. */
export function getNotices(signal?: AbortSignal): Promise<ApiResult<Notices>> {
  return requestRecord(NOTICES_PATH, Notices, { signal });
}

/** The text of the license of one of them. */
export function getNoticeText({ name, version }: NoticeQuestion, signal?: AbortSignal): Promise<ApiResult<NoticeText>> {
  return requestRecord(NOTICE_TEXT_PATH, NoticeText, { query: { name, version }, signal });
}
