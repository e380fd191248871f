/** Link to the event, for members who sign in there: it has no token. `publicUrl` has no slash at its end; '' for no link. */
export function eventLink(publicUrl: string, eventId: number): string {
  return publicUrl === '' ? '' : `${publicUrl.replace(/\/+$/, '')}/historyevent?event=${eventId}`;
}
