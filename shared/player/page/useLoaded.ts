import { useEffect, useState } from 'react';

/** What has been loaded; undefined until then. The promise never fails: failures are among its values. */
export function useLoaded<View>(loading: Promise<View>): View | undefined {
  const [view, setView] = useState<View>();
  useEffect(() => {
    let isCurrent = true;
    void loading.then((loaded) => {
      if (isCurrent) setView(() => loaded);
    });
    return () => {
      isCurrent = false;
    };
  }, [loading]);
  return view;
}
