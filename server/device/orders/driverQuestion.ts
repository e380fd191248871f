// A question to a driver (0x8302) and its answers. The edition of 2019 has taken both out.
import type { Edition } from '../jt808/codec/codes.ts';
import type { BodyOf, MessageBody } from '../jt808/codec/message.ts';

/** Bit of the flags: the terminal reads the question out, beside showing it. */
const SPEECH = 0x08;

/** Answers are numbered from 1. Line ends become spaces. */
export function driverQuestion(question: string, answers: readonly string[], isSpoken: boolean): BodyOf<'question'> {
  const text = (each: string): string => each.replaceAll(/\r?\n/g, ' ').trim();
  return {
    kind: 'question',
    flags: isSpoken ? SPEECH : 0,
    question: text(question),
    answers: answers.map((answer, at) => ({ id: at + 1, text: text(answer) })),
  };
}

/** The text of an answer; undefined where the question doesn't have it. */
export function answerText({ answers }: BodyOf<'question'>, answerId: number | undefined): string | undefined {
  return answers.find(({ id }) => id === answerId)?.text;
}

/** Whether terminals of this edition know the message. */
export function isKnownTo(edition: Edition, body: MessageBody): boolean {
  return edition !== '2019' || body.kind !== 'question';
}
