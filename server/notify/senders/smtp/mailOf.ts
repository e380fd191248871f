// A message as a mail. Names and subjects come from people: nothing in them may become another header. Pure.
import type Mail from 'nodemailer/lib/mailer';
import type { EmailSettings } from '../../../../shared/protocol/api/notify/senders.ts';
import { isMailAddress } from '../../../../shared/protocol/notify/mailAddress.ts';
import type { OutgoingMessage } from '../../outgoing.ts';
import { addressOf } from '../addressOf.ts';

/** Undefined when the destination has no mail address. */
export function mailOf(message: OutgoingMessage, settings: EmailSettings, domain: string): Mail.Options | undefined {
  const address = addressOf(message.destination);
  if (!isMailAddress(address)) return undefined;
  const name = message.destination.to === 'member' ? oneLine(message.destination.name) : '';
  const { html } = message;
  const attachments = attachmentsOf(message);
  return {
    from: { name: oneLine(settings.fromName), address: settings.fromAddress },
    to: { name, address },
    envelope: { from: settings.fromAddress, to: [address] },
    subject: oneLine(message.subject),
    text: message.body,
    ...(html === undefined ? {} : { html }),
    ...(attachments.length === 0 ? {} : { attachments }),
    messageId: `<${message.key}@${domain}>`,
    headers: {
      // Keeps absence notices from answering it (RFC 3834).
      'Auto-Submitted': 'auto-generated',
      'X-Fleetglass-Key': message.key,
      ...(message.severity === 'critical' ? { 'X-Priority': '1', Importance: 'high' } : {}),
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

function attachmentsOf({ picture, html, attachment }: OutgoingMessage): Mail.Attachment[] {
  const inline = picture === undefined || html === undefined ? [] : [inlinePicture(picture)];
  if (attachment === undefined) return inline;
  const { fileName, contentType, data } = attachment;
  return [...inline, { filename: oneLine(fileName), contentType, content: data, contentDisposition: 'attachment' }];
}

function inlinePicture({ fileName, contentType, data }: NonNullable<OutgoingMessage['picture']>): Mail.Attachment {
  return { filename: oneLine(fileName), contentType, content: data, cid: fileName, contentDisposition: 'inline' };
}

/** Removes line breaks, which would begin another header. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();
}

/** Domain of Message-IDs: the host where members open the pages, or else that of the mail's sender address. */
export function mailDomain(publicUrl: string | undefined, { fromAddress }: Pick<EmailSettings, 'fromAddress'>): string {
  const host = publicUrl === undefined ? undefined : new URL(publicUrl).hostname;
  // An address in brackets would be valid by RFC 5322, but not every mail program knows it.
  return host !== undefined && /^[a-z\d.-]+$/i.test(host) ? host : (fromAddress.split('@')[1] ?? 'localhost');
}
