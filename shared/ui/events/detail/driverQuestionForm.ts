// The form of a question to a driver as data. Pure.
import { ANSWER_MAX, ANSWERS_MAX, ANSWERS_MIN } from '../../../protocol/api/deviceOrders.ts';

/** One a line; lines without an answer don't count. */
export function answersOf(lines: string): string[] {
  return lines
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

export function areAnswers(lines: string): boolean {
  const answers = answersOf(lines);
  const isRightCount = answers.length >= ANSWERS_MIN && answers.length <= ANSWERS_MAX;
  return isRightCount && answers.every((answer) => answer.length <= ANSWER_MAX);
}
