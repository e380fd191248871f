import dayjs from 'dayjs';
import type { WallSeconds } from '../protocol/time.ts';

/** yyyy-MM-dd in the browser's zone, in every language. */
export function formatDate(at: WallSeconds): string {
  return dayjs.unix(at).format('YYYY-MM-DD');
}
