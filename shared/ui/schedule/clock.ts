/** `22:00` as minutes since midnight; `24:00` is the end of the day. Undefined for what is no time. */
export function minuteOf(text: string): number | undefined {
  const [, hours, minutes] = /^([01]\d|2[0-4]):([0-5]\d)$/.exec(text) ?? [];
  if (hours === undefined || minutes === undefined) return undefined;
  const minute = Number(hours) * 60 + Number(minutes);
  return minute > 1440 ? undefined : minute;
}

export function clockOf(minute: number): string {
  return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
}
