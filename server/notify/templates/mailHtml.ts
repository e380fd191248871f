// The HTML part of a mail, made from its text. Mail clients know few styles and load nothing without permission, so it has inline styles
// only, no external content, and no colors of its own for text and background: a client in dark mode chooses them.
import type { Severity } from '../../../shared/protocol/events/eventWords.ts';
import type { Locale } from '../../../shared/protocol/locale.ts';
import { escapeHtml } from './escaping.ts';
import { MESSAGE_WORDS } from './presets/messageWords.ts';

export interface MailContent {
  readonly body: string;
  readonly severity: Severity;
  readonly language: Locale;
  /** '' for none. */
  readonly link: string;
  /** File name of the picture in the mail; '' for none. */
  readonly pictureName: string;
}

/** Readable on white and on black. */
const COLORS: Readonly<Record<Severity, string>> = {
  critical: '#d32f2f',
  major: '#c75300',
  minor: '#8a6d00',
  info: '#1976d2',
};
const BUTTON = '#1565c0';

const LANGUAGE_TAGS: Readonly<Record<Locale, string>> = { en: 'en', 'zh-TW': 'zh-TW', jp: 'ja' };

export function mailHtml({ body, severity, language, link, pictureName }: MailContent): string {
  const words = MESSAGE_WORDS[language];
  const { before, after } = aroundLink(body.split(/\n{2,}/), link);
  const paragraph = (text: string): string => `<p style="margin:0 0 16px">${linesOf(text, link)}</p>`;
  const parts = [
    ...before.map(paragraph),
    ...(pictureName === '' ? [] : [picture(pictureName, words.snapshot)]),
    ...(link === '' ? [] : [button(link, words.openEvent)]),
    ...after.map(paragraph),
  ];
  return [
    '<!doctype html>',
    `<html lang="${LANGUAGE_TAGS[language]}"><head><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width">',
    '<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">',
    '</head><body style="margin:0;padding:16px;font-family:Arial,Helvetica,sans-serif;font-size:15px;line-height:1.5">',
    `<div style="max-width:600px;margin:0 auto;border-top:4px solid ${COLORS[severity]};padding-top:16px;`,
    `overflow-wrap:anywhere">${parts.join('\n')}</div>`,
    '</body></html>',
  ].join('\n');
}

/** The button replaces a paragraph that is nothing but the address; without one it comes last. */
function aroundLink(paragraphs: readonly string[], link: string) {
  const isLink = (text: string): boolean => link !== '' && text.trim() === link;
  const at = paragraphs.findIndex(isLink);
  const end = at < 0 ? paragraphs.length : at;
  return { before: paragraphs.slice(0, end), after: paragraphs.slice(end).filter((text) => !isLink(text)) };
}

function linesOf(paragraph: string, link: string): string {
  const escaped = escapeHtml(paragraph).replace(/\n/g, '<br>\n');
  if (link === '') return escaped;
  const address = escapeHtml(link);
  return escaped.replaceAll(address, () => `<a href="${address}">${address}</a>`);
}

function picture(name: string, alternative: string): string {
  const source = `cid:${encodeURIComponent(name)}`;
  return `<p style="margin:0 0 16px"><img src="${source}" alt="${escapeHtml(alternative)}" style="max-width:100%"></p>`;
}

function button(link: string, label: string): string {
  const style = `display:inline-block;padding:10px 20px;border-radius:4px;background:${BUTTON};color:#ffffff`;
  return `<p style="margin:0 0 16px"><a href="${escapeHtml(link)}" style="${style};text-decoration:none">${label}</a></p>`;
}
