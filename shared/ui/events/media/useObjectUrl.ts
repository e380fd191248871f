import { useEffect, useState } from 'react';

/** An address in the page for loaded content, valid as long as the content is shown. */
export function useObjectUrl(content: Blob | undefined): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (content === undefined) return undefined;
    const made = URL.createObjectURL(content);
    setUrl(made);
    return () => {
      URL.revokeObjectURL(made);
      setUrl(undefined);
    };
  }, [content]);
  return url;
}
