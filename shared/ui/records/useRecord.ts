import { type Answer, type AskOptions, useAnswer } from './useAnswer.ts';

export interface RecordOptions<Value> extends AskOptions<Value> {
  /** The record of one key is shown until that of the next is there: what was found for a text, while the next is typed. */
  readonly keepsOther?: boolean;
}

export type LoadedRecord<Value> = Omit<Answer<Value>, 'isKnown'>;

/** A record, or a few that belong together, asked for at once and again when it may have changed. */
export function useRecord<Value>({ keepsOther = false, ...options }: RecordOptions<Value>): LoadedRecord<Value> {
  return useAnswer(options, keepsOther);
}
