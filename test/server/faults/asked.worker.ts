import { parentPort } from 'node:worker_threads';
import { answerQuestions } from '../../../server/faults/askedThread.ts';

let asked = 0;
let left = 0;

if (parentPort === null) throw new Error('started as a program');
answerQuestions<string, string>(parentPort, async (question, gone) => {
  asked++;
  if (question === 'counts') return `${asked} asked, ${left} left`;
  if (question === 'refuse') throw new Error('not that');
  if (question === 'fail') throw 'nothing at all';
  if (question === 'end') process.exit(3);
  if (question.startsWith('forever'))
    await new Promise((_, reject) =>
      gone.addEventListener('abort', () => {
        left++;
        reject(gone.reason);
      }),
    );
  return `${question}?`;
});
