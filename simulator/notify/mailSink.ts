// The server that receives the demo's mail, with as much of SMTP (RFC 5321) as a sender needs. It takes every mail and keeps none.
import type { Server, Socket } from 'node:net';
import type { OnFault } from '../../server/faults/onFault.ts';
import { createTcpServer } from '../../server/faults/sockets.ts';

/** Maximum length of a command, and of what has arrived of a mail's last line. */
const LINE_MAX_BYTES = 64 * 1024;

export interface MailSink {
  readonly server: Server;
  /** Ends the open connections, since a server closes only without any. */
  readonly endAll: () => void;
}

/** The caller closes its server. */
export function createMailSink(onFault: OnFault): MailSink {
  const open = new Set<Socket>();
  const accept = (socket: Socket): void => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    talk(socket);
  };
  const server = createTcpServer({}, accept, onFault);
  const endAll = (): void => {
    for (const socket of open) socket.destroy();
  };
  return { server, endAll };
}

function talk(socket: Socket): void {
  let waiting = '';
  let isInData = false;
  const say = (line: string): void => void socket.write(`${line}\r\n`);
  const take = (line: string): void => {
    if (isInData) {
      if (line !== '.') return;
      isInData = false;
      say('250 Taken');
      return;
    }
    const verb = line.slice(0, 4).toUpperCase();
    isInData = verb === 'DATA';
    say(replyTo(verb));
    if (verb === 'QUIT') socket.end();
  };
  socket.setEncoding('latin1');
  say('220 mail.demo');
  socket.on('data', (text: string) => {
    waiting += text;
    if (waiting.length > LINE_MAX_BYTES) {
      socket.destroy();
      return;
    }
    const lines = waiting.split('\r\n');
    waiting = lines.pop() ?? '';
    for (const line of lines) take(line);
  });
}

function replyTo(verb: string): string {
  switch (verb) {
    case 'EHLO':
    case 'HELO':
    case 'MAIL':
    case 'RCPT':
    case 'RSET':
    case 'NOOP':
      return '250 mail.demo';
    case 'DATA':
      return '354 Go on';
    case 'QUIT':
      return '221 Goodbye';
    default:
      return '502 Not here';
  }
}
