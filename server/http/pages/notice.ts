// What a browser shows where there is no page to show. Plain HTML without a script, in the browser's language.

interface NoticeText {
  readonly title: string;
  readonly text: string;
}

type NoticeTexts = Readonly<Record<'en' | 'zh' | 'ja', NoticeText>>;

const LANGUAGE_TAGS = { en: 'en', zh: 'zh-Hant-TW', ja: 'ja' } as const;

const MISSING_PAGE: NoticeTexts = {
  en: { title: 'Page not found', text: 'There is no page at this address.' },
  zh: { title: '找不到頁面', text: '這個位址沒有頁面。' },
  ja: { title: 'ページが見つかりません', text: 'このアドレスにはページがありません。' },
};

const RESTORING: NoticeTexts = {
  en: { title: 'Restore in progress', text: 'A backup is being restored. This page opens when it is done.' },
  zh: { title: '正在還原', text: '正在還原備份，完成後會開啟此頁面。' },
  ja: { title: '復元中', text: 'バックアップを復元しています。完了するとこのページが開きます。' },
};
const RELOAD_AFTER_S = 5;

/** The shell's round button floats over the top left corner of its frame, so the text stands away from there. */
const STYLE = `body{margin:0;display:grid;place-items:center;min-height:100vh;text-align:center;font:1rem/1.5 system-ui,sans-serif}
main{padding:1.5rem}h1{margin:0;font-size:1.25rem}p{margin:.5rem 0 0;opacity:.75}`;

/** In a frame whose page does not exist. The language is the first of `Accept-Language` that there is one in, English otherwise. */
export function missingPageNotice(acceptLanguage: string | undefined): string {
  return noticePage(MISSING_PAGE, acceptLanguage, '');
}

/** While there is no gateway. Asks again by itself until there is one. */
export function restoringNotice(acceptLanguage: string | undefined): string {
  return noticePage(RESTORING, acceptLanguage, `<meta http-equiv="refresh" content="${RELOAD_AFTER_S}">`);
}

function noticePage(texts: NoticeTexts, acceptLanguage: string | undefined, head: string): string {
  const accepted = (acceptLanguage ?? '').split(',').map((part) => part.trim().slice(0, 2).toLowerCase());
  const language = accepted.find((code): code is keyof NoticeTexts => Object.hasOwn(texts, code)) ?? 'en';
  const { title, text } = texts[language];
  return `<!doctype html>
<html lang="${LANGUAGE_TAGS[language]}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">${head}<title>${title}</title><style>${STYLE}</style></head>
<body><main><h1>${title}</h1><p>${text}</p></main></body>
</html>
`;
}
