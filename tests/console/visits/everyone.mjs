export async function everyone() { return 'none yet'; }
