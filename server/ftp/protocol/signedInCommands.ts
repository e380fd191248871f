// The outcomes of a signed-in terminal's commands. Only decides; the caller owns the sockets and files.
import type { OpenLogin } from '../loginTable.ts';
import type { TransferStart } from '../transfer/loginFiles.ts';
import { type DataAddress, parseEprt, parsePort } from './dataAddress.ts';
import { type FtpCommand, parseByteCount } from './ftpCommand.ts';
import { Reply } from './replies.ts';
import { nameOf, quoted, resolvePath } from './virtualPath.ts';

/** State of one connection. */
export interface CommandState {
  folder: string;
  /** Offset at which the next transfer starts. */
  startAt: number;
  /** Size of the next file according to ALLO. */
  announcedBytes: number | undefined;
  renameFrom: string | undefined;
}

export type CommandOutcome =
  | { readonly kind: 'reply'; readonly text: string }
  | { readonly kind: 'passive'; readonly isExtended: boolean }
  | { readonly kind: 'active'; readonly address: DataAddress }
  | { readonly kind: 'store'; readonly path: string; readonly start: TransferStart }
  | { readonly kind: 'send'; readonly offset: number }
  | { readonly kind: 'quit' };

type Login = Pick<OpenLogin, 'login' | 'path' | 'files'>;
type Handler = (argument: string, state: CommandState, login: Login) => CommandOutcome;

export function newCommandState(): CommandState {
  return { folder: '/', startAt: 0, announcedBytes: undefined, renameFrom: undefined };
}

export function outcomeOf({ verb, argument }: FtpCommand, state: CommandState, login: Login): CommandOutcome {
  if (verb === '') return reply(Reply.NoCommand);
  return HANDLERS.get(verb)?.(argument, state, login) ?? reply(Reply.Unknown);
}

const reply = (text: string): CommandOutcome => ({ kind: 'reply', text });
const always =
  (text: string): Handler =>
  () =>
    reply(text);
/** Whichever of the standard's modes a client chooses, a file is stored byte for byte. */
const oneOf =
  (choices: RegExp): Handler =>
  (argument) =>
    reply(choices.test(argument) ? Reply.Done : Reply.NotSupported);

/** Every folder exists as soon as it is named. */
const changeFolder: Handler = (argument, state) => {
  const folder = argument === '' ? undefined : resolvePath(state.folder, argument);
  if (folder === undefined) return reply(Reply.WrongArgument);
  state.folder = folder;
  return reply(Reply.FolderDone);
};

const parentFolder: Handler = (_, state) => {
  state.folder = resolvePath(state.folder, '..') ?? '/';
  return reply(Reply.FolderDone);
};

const makeFolder: Handler = (argument, state) => {
  const folder = argument === '' ? undefined : resolvePath(state.folder, argument);
  return reply(folder === undefined ? Reply.WrongArgument : `257 ${quoted(folder)} made`);
};

const currentFolder: Handler = (_, state) => reply(`257 ${quoted(state.folder)}`);

const restart: Handler = (argument, state) => {
  const offset = parseByteCount(argument);
  if (offset === undefined) return reply(Reply.WrongArgument);
  state.startAt = offset;
  return reply(Reply.RestartNext);
};

const allocate: Handler = (argument, state, { files }) => {
  const bytes = parseByteCount(argument);
  if (bytes === undefined) return reply(Reply.WrongArgument);
  if (files !== undefined && bytes > files.freeBytes) return reply(Reply.NoRoom);
  // Clients that don't know the size send 0.
  state.announcedBytes = bytes === 0 ? undefined : bytes;
  return reply(Reply.Done);
};

const size: Handler = (argument, state, { login, path, files }) => {
  const named = resolvePath(state.folder, argument);
  const bytes =
    login.kind === 'download' ? (named === path ? login.bytes : undefined) : files?.find(named ?? '')?.bytes;
  return reply(bytes === undefined ? Reply.NoSuchFile : `213 ${bytes}`);
};

function store(argument: string, state: CommandState, { login }: Login, isAppended: boolean): CommandOutcome {
  const { startAt } = state;
  state.startAt = 0;
  if (login.kind !== 'upload') return reply(Reply.NotAllowed);
  const path = resolvePath(state.folder, argument);
  if (path === undefined || argument === '' || nameOf(path) === '') return reply(Reply.WrongName);
  return { kind: 'store', path, start: isAppended ? 'end' : startAt };
}

const retrieve: Handler = (argument, state, { login, path }) => {
  const { startAt } = state;
  state.startAt = 0;
  if (login.kind !== 'download') return reply(Reply.NotAllowed);
  if (resolvePath(state.folder, argument) !== path) return reply(Reply.NoSuchFile);
  return startAt > login.bytes ? reply(Reply.WrongRestart) : { kind: 'send', offset: startAt };
};

const renameFrom: Handler = (argument, state, { files }) => {
  const path = resolvePath(state.folder, argument);
  if (path === undefined || files?.find(path) === undefined) return reply(Reply.NoSuchFile);
  state.renameFrom = path;
  return reply(Reply.RenameNext);
};

const renameTo: Handler = (argument, state, { files }) => {
  const from = state.renameFrom;
  state.renameFrom = undefined;
  if (from === undefined) return reply(Reply.WrongOrder);
  const to = resolvePath(state.folder, argument);
  if (to === undefined || nameOf(to) === '') return reply(Reply.WrongName);
  return reply(files?.rename(from, to) === true ? Reply.FolderDone : Reply.NoSuchFile);
};

function active(address: DataAddress | undefined): CommandOutcome {
  return address === undefined ? reply(Reply.WrongArgument) : { kind: 'active', address };
}

const extendedPassive: Handler = (argument) => {
  if (/^all$/i.test(argument)) return reply(Reply.Done);
  return /^[12]?$/.test(argument) ? { kind: 'passive', isExtended: true } : reply(Reply.OtherFamily);
};

const HANDLERS: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  ['USER', always(Reply.WrongOrder)],
  ['PASS', always(Reply.WrongOrder)],
  ['ACCT', always(Reply.NotNeeded)],
  ['TYPE', oneOf(/^(?:[AI](?:\s+N)?|L\s*8)$/i)],
  ['MODE', oneOf(/^S$/i)],
  ['STRU', oneOf(/^F$/i)],
  ['OPTS', oneOf(/^UTF-?8(?:\s+ON)?$/i)],
  ['CWD', changeFolder],
  ['XCWD', changeFolder],
  ['CDUP', parentFolder],
  ['XCUP', parentFolder],
  ['PWD', currentFolder],
  ['XPWD', currentFolder],
  ['MKD', makeFolder],
  ['XMKD', makeFolder],
  ['PASV', () => ({ kind: 'passive', isExtended: false })],
  ['EPSV', extendedPassive],
  ['PORT', (argument) => active(parsePort(argument))],
  ['EPRT', (argument) => active(parseEprt(argument))],
  ['STOR', (argument, state, login) => store(argument, state, login, false)],
  ['APPE', (argument, state, login) => store(argument, state, login, true)],
  ['RETR', retrieve],
  ['REST', restart],
  ['SIZE', size],
  ['ALLO', allocate],
  ['RNFR', renameFrom],
  ['RNTO', renameTo],
  ['NOOP', always(Reply.Done)],
  ['SYST', always(Reply.System)],
  ['FEAT', always(Reply.Features)],
  ['HELP', always(Reply.Help)],
  ['STAT', (argument) => reply(argument === '' ? Reply.Status : Reply.NotAllowed)],
  ['LIST', always(Reply.NotAllowed)],
  ['NLST', always(Reply.NotAllowed)],
  ['MLSD', always(Reply.NotAllowed)],
  ['MLST', always(Reply.NotAllowed)],
  ['MDTM', always(Reply.NotAllowed)],
  ['DELE', always(Reply.NotAllowed)],
  ['RMD', always(Reply.NotAllowed)],
  ['XRMD', always(Reply.NotAllowed)],
  // A running transfer was ended when this command arrived.
  ['ABOR', always(Reply.Closing)],
  ['QUIT', () => ({ kind: 'quit' })],
]);
