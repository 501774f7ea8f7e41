//! The standard streams of a child process, served by one thread that waits for none of them in particular.

use std::io::{self, Read, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, ioctl_fionbio};

/// How much of standard error is kept: the last lines say why a process died.
const STDERR_TAIL: usize = 4096;

/// The streams that are still open, and what has gone through them.
#[derive(Debug)]
pub(super) struct Pipes<'a> {
    stdin: Option<ChildStdin>,
    unwritten: &'a [u8],
    stdout: Option<ChildStdout>,
    output: Vec<u8>,
    stderr: Option<ChildStderr>,
    tail: Vec<u8>,
}

impl<'a> Pipes<'a> {
    /// The pipes of a child that is to be given `input`.
    ///
    /// # Errors
    /// If the system cannot make them so that nobody has to wait.
    pub(super) fn of(child: &mut Child, input: &'a [u8]) -> io::Result<Self> {
        let pipes = Self {
            stdin: child.stdin.take(),
            unwritten: input,
            stdout: child.stdout.take(),
            output: Vec::new(),
            stderr: child.stderr.take(),
            tail: Vec::new(),
        };
        for stream in pipes.open() {
            ioctl_fionbio(stream.0, true)?;
        }
        Ok(pipes)
    }

    /// Waits until a stream can be served or `process` has ended, but no longer than `time`; serves the streams, and says
    /// whether the process has ended.
    ///
    /// # Errors
    /// If the system cannot wait.
    pub(super) fn serve(&mut self, process: BorrowedFd<'_>, time: Duration) -> io::Result<bool> {
        let time = Timespec::try_from(time).unwrap_or(Timespec {
            tv_sec: 1,
            tv_nsec: 0,
        });
        let ended = {
            let mut ready = vec![PollFd::from_borrowed_fd(process, PollFlags::IN)];
            let streams = self.open().into_iter();
            ready.extend(streams.map(|(stream, flags)| PollFd::from_borrowed_fd(stream, flags)));
            match poll(&mut ready, Some(&time)) {
                // A signal, perhaps the one to stop: the caller looks.
                Ok(_) | Err(Errno::INTR) => !ready[0].revents().is_empty(),
                Err(error) => return Err(error.into()),
            }
        };
        self.transfer();
        Ok(ended)
    }

    /// Takes what is left in the pipes of a process that has ended: all of its standard output, and the end of its standard
    /// error.
    pub(super) fn finish(mut self) -> (Vec<u8>, Vec<u8>) {
        self.transfer();
        (self.output, self.tail)
    }

    fn open(&self) -> Vec<(BorrowedFd<'_>, PollFlags)> {
        let stdin = self.stdin.as_ref().map(|it| (it.as_fd(), PollFlags::OUT));
        let stdout = self.stdout.as_ref().map(|it| (it.as_fd(), PollFlags::IN));
        let stderr = self.stderr.as_ref().map(|it| (it.as_fd(), PollFlags::IN));
        [stdin, stdout, stderr].into_iter().flatten().collect()
    }

    /// Moves what can be moved without waiting.
    fn transfer(&mut self) {
        self.write();
        let output = &mut self.output;
        read(&mut self.stdout, |bytes| output.extend_from_slice(bytes));
        let tail = &mut self.tail;
        read(&mut self.stderr, |bytes| {
            tail.extend_from_slice(bytes);
            let surplus = tail.len().saturating_sub(STDERR_TAIL);
            tail.drain(..surplus);
        });
    }

    fn write(&mut self) {
        while let Some(stdin) = &mut self.stdin
            && !self.unwritten.is_empty()
        {
            match stdin.write(self.unwritten) {
                Ok(count) => self.unwritten = &self.unwritten[count..],
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return,
                // A process that dies before it has read everything says why by itself.
                Err(_) => break,
            }
        }
        self.stdin = None;
    }
}

/// Hands on what a stream holds, and closes it at its end. What arrived before an error is all there is; an incomplete
/// report is told apart later.
fn read(stream: &mut Option<impl Read>, mut take: impl FnMut(&[u8])) {
    let mut buffer = [0; 4096];
    while let Some(open) = stream {
        match open.read(&mut buffer) {
            Ok(count @ 1..) => take(&buffer[..count]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => return,
            Ok(0) | Err(_) => *stream = None,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};

    use rustix::process::{Pid, PidfdFlags, pidfd_open};

    use super::*;

    #[test]
    fn more_than_a_pipe_holds_goes_through_in_both_directions() {
        let mut child = Command::new("cat")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let input: Vec<u8> = (0..3_000_000_u32).map(|n| (n % 251) as u8).collect();
        let process = pidfd_open(Pid::from_child(&child), PidfdFlags::empty()).unwrap();
        let mut pipes = Pipes::of(&mut child, &input).unwrap();
        while !pipes
            .serve(process.as_fd(), Duration::from_secs(60))
            .unwrap()
        {}
        assert!(child.wait().unwrap().success());
        let (output, tail) = pipes.finish();
        assert!(output == input);
        assert!(tail.is_empty());
    }
}
