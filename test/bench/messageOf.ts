import type { ChildProcess } from 'node:child_process';

/** The next message of a process, or the next that is the one. Rejects where the process ends before it. */
export function messageOf<Message>(
  child: ChildProcess,
  isIt: (message: Message) => boolean = () => true,
): Promise<Message> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      child.off('message', hear);
      child.off('exit', ended);
    };
    const hear = (message: Message): void => {
      if (!isIt(message)) return;
      stop();
      resolve(message);
    };
    const ended = (): void => {
      stop();
      reject(new Error('a process of the bench has ended'));
    };
    child.on('message', hear);
    child.on('exit', ended);
  });
}
