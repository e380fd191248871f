import { describe, expect, it } from 'vitest';
import { mailHtml } from '../../../../../server/notify/templates/mailHtml.ts';

const LINK = 'https://fleet.example/historyevent?event=9&x="1"';
const MAIL = { body: '', severity: 'critical', language: 'en', link: '', pictureName: '' } as const;

describe('the HTML part of a mail', () => {
  it('has the lines of the text, escaped', () => {
    const html = mailHtml({ ...MAIL, body: 'A <script>alert(1)</script>\nB & "C"\n\nD' });
    expect(html).toContain('A &lt;script&gt;alert(1)&lt;/script&gt;<br>\nB &amp; &quot;C&quot;</p>');
    expect(html).toContain('>D</p>');
    expect(html).not.toContain('<script');
  });

  it('has a button in the language instead of the line with the address', () => {
    const html = mailHtml({ ...MAIL, body: `A\n\n${LINK}\n\nB`, link: LINK, language: 'zh-TW' });
    expect(html).toContain('href="https://fleet.example/historyevent?event=9&amp;x=&quot;1&quot;"');
    expect(html).toContain('>開啟事件</a>');
    expect(html.match(/<a /g)).toHaveLength(1);
    expect(html).toContain('lang="zh-TW"');
  });

  it('shows the picture and the button where the text has the address, before what follows it', () => {
    const order = (body: string): readonly string[] =>
      mailHtml({ ...MAIL, body, link: LINK, pictureName: 'snapshot.jpg' }).match(/>[AB]<|<img|Open event/g) ?? [];
    expect(order(`A\n\n${LINK}\n\nB`)).toEqual(['>A<', '<img', 'Open event', '>B<']);
    expect(order('A\n\nB')).toEqual(['>A<', '>B<', '<img', 'Open event']);
  });

  it('links the address within a line', () => {
    expect(mailHtml({ ...MAIL, body: `See ${LINK}.`, link: LINK }).match(/<a /g)).toHaveLength(2);
  });

  it('shows the picture that comes with it, and nothing from elsewhere', () => {
    const html = mailHtml({ ...MAIL, body: 'https://elsewhere.example/x.png', pictureName: 'snapshot.jpg' });
    expect(html.match(/(src|href)="[^"]*"/g)).toEqual(['src="cid:snapshot.jpg"']);
    expect(mailHtml({ ...MAIL, body: 'A' })).not.toContain('<img');
  });

  it('leaves the colors of text and background to the reader, and marks the severity', () => {
    const html = mailHtml({ ...MAIL, body: 'A' });
    expect(html).toContain('content="light dark"');
    expect(html).not.toMatch(/[;"](color|background):/);
    expect(mailHtml({ ...MAIL, severity: 'info' })).not.toBe(mailHtml(MAIL));
  });
});
