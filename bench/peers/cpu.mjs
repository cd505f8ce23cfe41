// Time of the processor that a process and its descendants have used, in milliseconds.
//
// `schedstat` of each thread (proc(5)) says the same as `stat`, in nanoseconds where `stat` has hundredths of a second.
import { readdirSync, readFileSync } from 'node:fs'

export function cpu(pid) {
  const threads = readdirSync(`/proc/${pid}/task`).map((thread) => `/proc/${pid}/task/${thread}`)
  const own = threads.reduce((sum, thread) => sum + Number(read(`${thread}/schedstat`).split(' ')[0]) / 1e6, 0)
  const children = threads.flatMap((thread) => read(`${thread}/children`).split(' ').filter(Boolean))
  return children.reduce((sum, child) => sum + cpu(child), own)
}

// A thread may end at any time.
function read(path) {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}
