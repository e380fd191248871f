/** To the event, for members who sign in there: it carries no token. `publicUrl` without a slash at its end; '' for no link. */
export function eventLink(publicUrl: string, eventId: number): string {
  return publicUrl === '' ? '' : `${publicUrl.replace(/\/+$/, '')}/historyevent?event=${eventId}`;
}
