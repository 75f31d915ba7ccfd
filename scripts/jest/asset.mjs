/** Stands in for an imported asset: its address. */
export default 'asset';
