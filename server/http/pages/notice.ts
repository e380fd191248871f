// What a frame shows whose page does not exist. Plain HTML without a script, in the browser's language.

const notices = {
  en: { lang: 'en', title: 'Page not found', text: 'There is no page at this address.' },
  zh: { lang: 'zh-Hant-TW', title: '找不到頁面', text: '這個位址沒有頁面。' },
  ja: { lang: 'ja', title: 'ページが見つかりません', text: 'このアドレスにはページがありません。' },
} as const;

/** The shell's round button floats over the top left corner of its frame, so the text stands away from there. */
const STYLE = `body{margin:0;display:grid;place-items:center;min-height:100vh;text-align:center;font:1rem/1.5 system-ui,sans-serif}
main{padding:1.5rem}h1{margin:0;font-size:1.25rem}p{margin:.5rem 0 0;opacity:.75}`;

/** The notice in the first language of `Accept-Language` that there is one in, English otherwise. */
export function missingPageNotice(acceptLanguage: string | undefined): string {
  const accepted = (acceptLanguage ?? '').split(',').map((part) => part.trim().slice(0, 2).toLowerCase());
  const language = accepted.find((code): code is keyof typeof notices => Object.hasOwn(notices, code)) ?? 'en';
  const { lang, title, text } = notices[language];
  return `<!doctype html>
<html lang="${lang}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${title}</title><style>${STYLE}</style></head>
<body><main><h1>${title}</h1><p>${text}</p></main></body>
</html>
`;
}
