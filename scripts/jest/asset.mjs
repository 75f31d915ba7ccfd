/** Mock of an imported asset: its address. */
export default 'asset';
