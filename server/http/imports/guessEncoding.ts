// Guesses the encoding of a file that doesn't declare it. Spreadsheets save the code page of their country: Big5 in Taiwan, Shift_JIS in
// Japan, GBK in China, Windows-1252 in western Europe. Pure.
import type { ImportEncoding } from '../../../shared/protocol/api/imports/importEncodings.ts';

type DecodeAs = (bytes: Uint8Array, encoding: ImportEncoding) => string | undefined;

/** The order of preference where nothing distinguishes them. */
const DOUBLE_BYTE = ['shift_jis', 'big5', 'gbk'] as const satisfies readonly ImportEncoding[];

/** Characters. */
const SAMPLE_LENGTH = 50_000;

export function guessEncoding(
  bytes: Uint8Array,
  decodeAs: DecodeAs,
): { readonly encoding: ImportEncoding; readonly text: string } | undefined {
  if (looksWestern(bytes)) {
    const text = decodeAs(bytes, 'windows-1252');
    if (text !== undefined) return { encoding: 'windows-1252', text };
  }
  const read = DOUBLE_BYTE.flatMap((encoding) => {
    const text = decodeAs(bytes, encoding);
    return text === undefined ? [] : [{ encoding, text, odd: oddness(text.slice(0, SAMPLE_LENGTH)) }];
  });
  // A stable sort: the preferred one stays in front where two are equally odd.
  const [best] = read.toSorted((one, other) => one.odd - other.odd);
  return best && { encoding: best.encoding, text: best.text };
}

const LEAST_WESTERN = 0.9;

/**
 * Accented letters stand alone between ASCII letters. In double-byte text, bytes of these values stand in runs, or begin rare
 * ideographs: common ones begin with lower values.
 */
function looksWestern(bytes: Uint8Array): boolean {
  let [high, western] = [0, 0];
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d) return false;
    if (byte < 0x80) continue;
    high++;
    const isAlone = (bytes[at - 1] ?? 0) < 0x80 && (bytes[at + 1] ?? 0) < 0x80;
    if (isAlone && byte >= 0xc0 && byte !== 0xd7 && byte !== 0xf7) western++;
  }
  return high > 0 && western >= high * LEAST_WESTERN;
}

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
  '一二三四五六七八九十百千號号車车輛辆公司巴士客運运輸输市區区縣県县路線线東东西南北中山新台臺大小上下高雄桃園园竹苗彰化雲云林嘉義义屏宜蘭兰花蓮莲隊队班部門门' +
    '站場场基隆貨货卡前後后左右內外司機机攝摄影備备註注測测試试第京都道府町村阪横浜名古屋営業业所支店倉仓庫库配送貸切観光路面電电軽自動动運転席助手側侧方室内組组本社管理課课',
);
