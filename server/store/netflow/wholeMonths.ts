// Days as whole months, which have sums, and the days that are left at both ends. Pure. Days are YYYYMMDD, months YYYYMM.

export interface MonthsAndDays {
  /** First and last. */
  readonly months: readonly [number, number] | undefined;
  /** First and last of each. */
  readonly days: readonly (readonly [number, number])[];
}

const FIRST = 1;
const AFTER_LAST = 99;

export function wholeMonths(firstDay: number, lastDay: number): MonthsAndDays {
  const firstMonth = firstDay % 100 <= FIRST ? monthOf(firstDay) : nextMonth(monthOf(firstDay));
  const lastMonth = isLastOfMonth(lastDay) ? monthOf(lastDay) : monthBefore(monthOf(lastDay));
  if (firstMonth > lastMonth) return { months: undefined, days: firstDay > lastDay ? [] : [[firstDay, lastDay]] };
  const before = [firstDay, firstMonth * 100] as const;
  const after = [lastMonth * 100 + AFTER_LAST, lastDay] as const;
  return {
    months: [firstMonth, lastMonth],
    days: [before, after].filter(([first, last]) => first < last),
  };
}

function monthOf(day: number): number {
  return Math.floor(day / 100);
}

function nextMonth(month: number): number {
  return month % 100 === 12 ? month + 89 : month + 1;
}

function monthBefore(month: number): number {
  return month % 100 === 1 ? month - 89 : month - 1;
}

function isLastOfMonth(day: number): boolean {
  const month = monthOf(day);
  return day % 100 >= new Date(Date.UTC(Math.floor(month / 100), month % 100, 0)).getUTCDate();
}
