// While a backup is being restored, the gateway answers every address of a page with a notice that asks again until it is done.
import { setRestoringHandler } from '../../api/client.ts';
import { isFramedByOwnSite } from './framedByOwnSite.ts';

/** From then on a page leaves for that notice as soon as a call tells of a restore. In the shell, the shell does so for all its pages. */
export function leaveForRestore(reload: () => void = () => window.location.reload()): void {
  setRestoringHandler(() => {
    setRestoringHandler(undefined);
    if (!isFramedByOwnSite()) reload();
  });
}
