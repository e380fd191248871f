// In which encoding a file was saved. Spreadsheets of Taiwan and Japan still save Big5 and Shift_JIS, and say nowhere so.
import type { ImportEncoding } from '../../../../shared/protocol/api/deviceImport.ts';

export interface DecodedText {
  readonly encoding: ImportEncoding;
  readonly text: string;
}

/** Undefined when the bytes are text in none of the encodings, or not in the one that was asked for. */
export function decodeText(bytes: Uint8Array, requested?: ImportEncoding): DecodedText | undefined {
  if (requested !== undefined) return decodeAs(bytes, requested);
  const utf8 = decodeAs(bytes, 'utf-8');
  if (utf8 !== undefined) return utf8;
  // Most texts in one of the two are no text in the other. Of those that are both, one reads like nothing on earth.
  const big5 = decodeAs(bytes, 'big5');
  const shiftJis = decodeAs(bytes, 'shift_jis');
  if (big5 === undefined || shiftJis === undefined) return big5 ?? shiftJis;
  const [one, other] = [shiftJis, big5].map(({ text }) => oddness(text.slice(0, SAMPLE_LENGTH)));
  return (one ?? 0) <= (other ?? 0) ? shiftJis : big5;
}

function decodeAs(bytes: Uint8Array, encoding: ImportEncoding): DecodedText | undefined {
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    // The platform's decoder of Big5 takes single bytes that it has no character for, and gives controls for them.
    return encoding !== 'utf-8' && NO_CHARACTER.test(text) ? undefined : { encoding, text };
  } catch {
    return undefined;
  }
}

/** What a file's beginning does not tell its end would not either. */
const SAMPLE_LENGTH = 50_000;

const NO_CHARACTER = /[\u0080-\u009f\uf8f0-\uf8ff]/;

/**
 * How many characters nobody writes: lone half-width katakana, which is what Big5 looks like in Shift_JIS; rare
 * ideographs and box drawings, which is what Shift_JIS looks like in Big5. Kana are the opposite of odd.
 */
function oddness(text: string): number {
  let odd = 0;
  for (const character of text) {
    if (/[\uff61-\uff9f]/.test(character)) odd += 2;
    else if (/[\u3041-\u30ff]/.test(character)) odd -= 2;
    else if (/[\ue000-\uf8ff\u2500-\u257f]/.test(character)) odd += 3;
    else if (/[\u4e00-\u9fff]/.test(character) && !COMMON.has(character)) odd += 1;
  }
  return odd;
}

/** Ideographs that names of vehicles, places and groups are full of. */
const COMMON: ReadonlySet<string> = new Set(
  '一二三四五六七八九十百千號号車车輛公司巴士客運運輸市區区縣県路線线東西南北中山新台臺大小上下高雄桃園竹苗彰化雲林嘉義屏宜蘭花蓮隊班部門' +
    '站場基隆貨卡前後左右內外司機門攝影機備註測試第京都道府町村阪横浜名古屋営業所支店倉庫配送貸切観光路面電軽自動運転席助手側方室内組本社管理課',
);
