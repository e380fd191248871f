// The support bundle.
import { BUNDLE_PATH, BundleContents } from '../../protocol/api/system/bundle.ts';
import type { ApiResult } from '../client.ts';
import { requestDownloadAddress } from '../list.ts';
import { requestRecord } from '../requestRecord.ts';

/** What a bundle would have in it now. */
export function getBundleContents(signal?: AbortSignal): Promise<ApiResult<BundleContents>> {
  return requestRecord(BUNDLE_PATH, BundleContents, { signal });
}

/** Where the browser downloads a bundle from, once. Code of a refusal there: `too-many-bundles`. */
export function requestBundle(): Promise<ApiResult<string>> {
  return requestDownloadAddress(BUNDLE_PATH, {});
}
