// One line of a control connection as a command. Pure and total: any line becomes a command.

export interface FtpCommand {
  /** In upper case; empty for a line that has none. */
  readonly verb: string;
  /** Without the spaces before it. Spaces at the end of a line belong to a file's name, but terminals pad with them too. */
  readonly argument: string;
}

const COMMAND = /^([A-Za-z]{3,4})(?:\s(.*))?$/s;

export function parseFtpCommand(line: string): FtpCommand {
  const [, verb = '', argument = ''] = COMMAND.exec(line.trim()) ?? [];
  return { verb: verb.toUpperCase(), argument: argument.trimStart() };
}

/** A number of bytes as REST and ALLO have it, undefined for anything else. ALLO may go on with a record size. */
export function parseByteCount(argument: string): number | undefined {
  const [, digits] = /^(\d{1,15})(?:\s+R\s+\d{1,15})?$/i.exec(argument) ?? [];
  return digits === undefined ? undefined : Number(digits);
}
