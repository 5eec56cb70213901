//! The memory that the program holds.

/// Allocations from this size on are returned to the system when they are freed.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const RETURNED_FROM: libc::c_int = 128 << 10;

/// Has freed memory returned to the system. Left to itself, glibc raises its thresholds after the first large
/// allocations, and what one large page needed stays with the process. Call it before other threads run.
pub(crate) fn return_freed() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    #[expect(
        unsafe_code,
        reason = "no safe wrapper of mallopt exists; it takes numbers only and cannot fail harmfully"
    )]
    // SAFETY: `mallopt` reads two integers. No other thread allocates yet.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, RETURNED_FROM);
        libc::mallopt(libc::M_TRIM_THRESHOLD, RETURNED_FROM);
    }
}
