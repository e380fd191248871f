import { useEffect, useState } from 'react';

/** What has been loaded, and `initial` until then. The promise never fails: failures are among its values. */
export function useLoaded<View>(loading: Promise<View>, initial: View): View {
  const [view, setView] = useState(initial);
  useEffect(() => {
    let isCurrent = true;
    void loading.then((loaded) => {
      if (isCurrent) setView(loaded);
    });
    return () => {
      isCurrent = false;
    };
  }, [loading]);
  return view;
}
