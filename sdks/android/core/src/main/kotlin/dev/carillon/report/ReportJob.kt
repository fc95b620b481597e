package dev.carillon.report

import android.app.job.JobInfo
import android.app.job.JobParameters
import android.app.job.JobScheduler
import android.app.job.JobService
import android.content.ComponentName
import android.content.Context
import dev.carillon.Carillon

/**
 * Sends what could not be sent immediately, when the phone has a network. Android starts the process of the app for it,
 * and `Application.onCreate` starts the SDK. If the app does not start the SDK there, because the user has withdrawn the
 * consent, nothing is sent.
 */
internal class ReportJob : JobService() {
    override fun onStartJob(parameters: JobParameters): Boolean =
        Carillon.sendReports { isDone -> jobFinished(parameters, !isDone) }

    override fun onStopJob(parameters: JobParameters): Boolean = true

    companion object {
        private const val JOB_ID = 0x43617269
        private const val BACKOFF_MS = 30_000L

        /** Usually, the SDK has sent everything by then, and has cancelled the job. */
        private const val LATENCY_MS = 30_000L

        /** Without a job, the SDK sends its reports only while the process runs, and in later ones. */
        fun schedule(context: Context, log: (String) -> Unit) {
            val scheduler = context.getSystemService(Context.JOB_SCHEDULER_SERVICE) as JobScheduler
            try {
                if (scheduler.allPendingJobs.none { it.id == JOB_ID }) scheduler.schedule(jobOf(context))
            } catch (error: RuntimeException) {
                // For example, the app has as many jobs as Android allows.
                log("No job was scheduled: ${error.javaClass.simpleName}")
            }
        }

        private fun jobOf(context: Context): JobInfo =
            JobInfo.Builder(JOB_ID, ComponentName(context, ReportJob::class.java))
                .setRequiredNetworkType(JobInfo.NETWORK_TYPE_ANY)
                .setMinimumLatency(LATENCY_MS)
                .setBackoffCriteria(BACKOFF_MS, JobInfo.BACKOFF_POLICY_EXPONENTIAL)
                .build()

        fun cancel(context: Context) {
            (context.getSystemService(Context.JOB_SCHEDULER_SERVICE) as JobScheduler).cancel(JOB_ID)
        }
    }
}
