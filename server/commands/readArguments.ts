// Arguments of our programs: what is wrong with them is one sentence, not a stack trace.
import { type ParseArgsConfig, parseArgs } from 'node:util';

export type ArgumentsRead<Config extends ParseArgsConfig> =
  | { readonly ok: true; readonly read: ReturnType<typeof parseArgs<Config>> }
  | { readonly ok: false; readonly reason: string };

/** What went wrong with a call, and how the call goes. */
export const EXIT_WRONG_ARGUMENTS = 2;

export function readArguments<Config extends ParseArgsConfig>(config: Config): ArgumentsRead<Config> {
  try {
    return { ok: true, read: parseArgs(config) };
  } catch (error) {
    if (!isComplaint(error)) throw error;
    return { ok: false, reason: firstSentence(error.message) };
  }
}

interface Complaint extends Error {
  readonly code: string;
}

function isComplaint(error: unknown): error is Complaint {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && code.startsWith('ERR_PARSE_ARGS_');
}

/** Node adds advice on how such an argument could be passed on, to a program that takes it. */
function firstSentence(message: string): string {
  const [first = message] = message.split(/\.?(?:\s*\n|\.\s)/);
  return first.endsWith('.') ? first : `${first}.`;
}
