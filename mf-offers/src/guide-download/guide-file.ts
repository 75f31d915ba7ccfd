/** A guide that the build has made of its Markdown (guide/guide-loader.ts), and what is in it. */
export interface GuideFile {
  readonly address: string;
  readonly title: string;
  readonly subtitle: string;
  readonly pages: number;
  readonly bytes: number;
  /** The kinds of help that it is about, in order. */
  readonly topics: readonly string[];
  /** Number of the first topic’s chapter in the guide; the others follow it. */
  readonly firstTopicNumber: number;
}

/** `PDF, 23 pages, 190 kB`. */
export function describeFile({ pages, bytes }: Pick<GuideFile, 'pages' | 'bytes'>): string {
  return `PDF, ${pages} pages, ${Math.ceil(bytes / 1000)} kB`;
}
